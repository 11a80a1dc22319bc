// A button with an icon only. Its tooltip has its name and its key.
import type { ButtonHTMLAttributes } from 'preact';
import { Icon, type IconName } from './Icon';

interface Props extends Omit<ButtonHTMLAttributes, 'icon' | 'label' | 'class'> {
  icon: IconName;
  label: string;
  hint?: string; // more than the name, where it needs it
  keys?: string;
  class?: string;
}

/** A button with a drawing for a label. */
export function IconButton({ icon, label, hint = label, keys, class: kind = 'ghost', ...rest }: Props) {
  return (
    <button type="button" class={kind} aria-label={label} title={keys ? `${hint} ( ${keys} )` : hint} {...rest}>
      <Icon name={icon} />
    </button>
  );
}
