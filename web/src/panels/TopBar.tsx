// Open, samples, share, export, theme, help.
import { awaited, openSample, sample, samples } from '../state/files';
import { switchTheme, theme } from '../state/theme';
import { chooseFiles } from '../state/input';
import { helpOpen } from '../state/layout';
import { Icon } from '../widgets/Icon';
import { Menu } from '../widgets/Menu';
import { ExportMenu } from './ExportMenu';
import { Help } from './Help';
import { ShareMenu } from './ShareMenu';

const THEMES = { system: 'as the system', light: 'light', dark: 'dark' };

/** The page's title, its menus and the theme. */
export function TopBar() {
  return (
    <header class="top-bar">
      <h1>Roofline</h1>
      <button type="button" class="primary" onClick={() => void chooseFiles()}>Open…</button>
      <SamplesMenu />
      <ShareMenu />
      <ExportMenu />
      <span class="fill" />
      <button type="button" class="ghost" title={`Theme: ${THEMES[theme.value]}`} aria-label={`Theme: ${THEMES[theme.value]}`} onClick={switchTheme}><Icon name={theme.value} /></button>
      <button type="button" class="ghost" title="Help ( ? )" aria-label="Help" onClick={() => (helpOpen.value = true)}><Icon name="help" /></button>
      {helpOpen.value && <Help onClose={() => (helpOpen.value = false)} />}
    </header>
  );
}

function SamplesMenu() {
  const open = (id: string) => {
    awaited.value = null;
    void openSample(id);
  };
  return (
    <Menu label="Samples">
      {close => samples.value.map(({ id, title, text }) => (
        <button key={id} type="button" class="item" aria-current={id === sample.value?.id} onClick={() => (close(), open(id))}>
          <strong>{title}</strong><span class="muted">{text}</span>
        </button>
      ))}
    </Menu>
  );
}
