// The documents are light or dark as the page was last (core/theme.ts), else as the system.
import { stored } from './core/storage';

const dark = matchMedia('(prefers-color-scheme: dark)');
const show = () => {
  const chosen = stored('roofline.theme');
  document.documentElement.dataset.theme =
    chosen === 'light' || chosen === 'dark' ? chosen : dark.matches ? 'dark' : 'light';
};
show();
dark.addEventListener('change', show);
