// Open, samples, share, export, theme, help.
import { awaited, openSample, sample, samples } from '../state/files';
import { switchTheme, theme } from '../state/theme';
import { chooseFiles } from '../state/input';
import { canRedo, canUndo, redo, undo } from '../state/history';
import { helpOpen, paletteOpen } from '../state/layout';
import { startTour } from '../state/tour';
import { resetAll } from '../state/reset';
import { Icon, Mark } from '../widgets/Icon';
import { IconButton } from '../widgets/IconButton';
import { Menu } from '../widgets/Menu';
import { ExportMenu } from './ExportMenu';
import { Help } from './Help';
import { ShareMenu } from './ShareMenu';

const THEMES = { system: 'as the system', light: 'light', dark: 'dark' };

/** What is near at hand: beside each other where there is room, else in one menu. */
const actions = () =>
  [
    { icon: 'undo', label: 'Undo', keys: 'Ctrl Z', disabled: !canUndo.value, onClick: undo },
    { icon: 'redo', label: 'Redo', keys: 'Ctrl Shift Z', disabled: !canRedo.value, onClick: redo },
    { icon: 'reset', label: 'Reset', hint: 'Reset: settings, filters and view to their defaults', onClick: resetAll },
    { icon: theme.value, label: `Theme: ${THEMES[theme.value]}`, onClick: switchTheme },
    { icon: 'help', label: 'Help', keys: '?', onClick: () => (helpOpen.value = true) },
  ] as const;

/** The page's mark, its menus and its actions. */
export function TopBar() {
  return (
    <header class="top-bar">
      <p class="brand">
        <Mark /> <span>Roofline</span>
      </p>
      <button type="button" class="primary" onClick={() => void chooseFiles()}>
        Open…
      </button>
      <SamplesMenu />
      {!awaited.value && (
        <>
          <ShareMenu />
          <ExportMenu />
        </>
      )}
      <button
        type="button"
        class="palette-button"
        title="Command palette ( Ctrl K )"
        onClick={() => (paletteOpen.value = true)}
      >
        <Icon name="search" /> <span>Do anything</span> <kbd>Ctrl K</kbd>
      </button>
      <span class="fill" />
      <div class="top-actions">
        {actions().map(action => (
          <IconButton key={action.icon} {...action} />
        ))}
      </div>
      <Menu class="more" label={<Icon name="more" />} title="More" align="right">
        {close =>
          actions().map(({ icon, label, onClick, ...rest }) => (
            <button
              key={icon}
              type="button"
              class="item with-icon"
              disabled={'disabled' in rest && rest.disabled}
              onClick={() => (close(), onClick())}
            >
              <Icon name={icon} /> {label}
            </button>
          ))
        }
      </Menu>
      {helpOpen.value && <Help onClose={() => (helpOpen.value = false)} />}
    </header>
  );
}

function SamplesMenu() {
  return (
    <Menu label="Samples" class="samples">
      {close => (
        <>
          <button type="button" class="item" onClick={() => (close(), void startTour())}>
            <strong>Tour</strong>
            <span class="muted">Two minutes through the page, on measured data.</span>
          </button>
          {samples.value.map(({ id, title, line }) => (
            <button
              key={id}
              type="button"
              class="item"
              aria-current={id === sample.value?.id}
              onClick={() => (close(), void openSample(id))}
            >
              <strong>{title}</strong>
              <span class="muted">{line}</span>
            </button>
          ))}
        </>
      )}
    </Menu>
  );
}
