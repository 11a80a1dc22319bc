// Sets the documents' theme: the page's last one (core/theme.ts), else the system's.
import { stored } from './core/storage';

const dark = matchMedia('(prefers-color-scheme: dark)');
const show = () => {
  const chosen = stored('roofline.theme');
  document.documentElement.dataset.theme =
    chosen === 'light' || chosen === 'dark' ? chosen : dark.matches ? 'dark' : 'light';
};
show();
dark.addEventListener('change', show);
