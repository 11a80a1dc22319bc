// The top bar: source, machine, command palette, undo, share, export, theme, help.
import { awaited } from '../sources/awaited';
import { switchTheme, theme } from '../core/theme';
import { canRedo, canUndo, redo, undo } from './history';
import { helpOpen, paletteOpen } from '../core/dialogs';
import { resetAll } from './reset';
import { Icon, Mark } from '../widgets/Icon';
import { IconButton } from '../widgets/IconButton';
import { Menu } from '../widgets/Menu';
import { CompareItems, CompareMenu } from '../compare/CompareMenu';
import { ExportMenu } from '../share/ExportMenu';
import { Help } from '../help/Help';
import { MachineChip } from '../machine/MachineChip';
import { RemarksButton } from '../sources/Remarks';
import { ShareMenu } from '../share/ShareMenu';
import { SourceChip } from '../sources/SourceChip';

const THEMES = { system: 'same as system', light: 'light', dark: 'dark' };

/** Undo and redo. Not `disabled`, which would take the focus from the one that was pressed last. */
const steps = () =>
  [
    { icon: 'undo', label: 'Undo', keys: 'Ctrl Z', 'aria-disabled': !canUndo.value, onClick: undo },
    { icon: 'redo', label: 'Redo', keys: 'Ctrl Shift Z', 'aria-disabled': !canRedo.value, onClick: redo },
  ] as const;

const rest = () =>
  [
    { icon: 'reset', label: 'Reset', hint: 'Reset settings, filters and view to their defaults', onClick: resetAll },
    { icon: theme.value, label: `Theme: ${THEMES[theme.value]}`, onClick: switchTheme },
    { icon: 'help', label: 'Help', keys: '?', onClick: () => (helpOpen.value = true) },
  ] as const;

/** The bar; on a phone the actions that do not fit are in one menu. */
export function TopBar() {
  return (
    <header class="top-bar">
      <p class="brand">
        <Mark /> <span>Roofline</span>
      </p>
      <SourceChip />
      {!awaited.value && (
        <>
          <span class="muted on">on</span>
          <MachineChip />
          <RemarksButton />
        </>
      )}
      <span class="fill" />
      <button
        type="button"
        class="palette-button"
        title="Command palette ( Ctrl K )"
        onClick={() => (paletteOpen.value = true)}
      >
        <Icon name="search" /> <span>Search or do…</span> <kbd>Ctrl K</kbd>
      </button>
      <div class="top-steps">
        {steps().map(action => (
          <IconButton key={action.icon} {...action} />
        ))}
      </div>
      {!awaited.value && (
        <>
          <CompareMenu />
          <ShareMenu />
          <ExportMenu />
        </>
      )}
      <div class="top-actions">
        {rest().map(action => (
          <IconButton key={action.icon} {...action} />
        ))}
      </div>
      <Menu class="more" label={<Icon name="more" />} title="More actions" align="right">
        {close => (
          <>
            {!awaited.value && <CompareItems close={close} />}
            {rest().map(({ icon, label, onClick }) => (
              <button key={icon} type="button" class="item with-icon" onClick={() => (close(), onClick())}>
                <Icon name={icon} /> {label}
              </button>
            ))}
          </>
        )}
      </Menu>
      {helpOpen.value && <Help onClose={() => (helpOpen.value = false)} />}
    </header>
  );
}
