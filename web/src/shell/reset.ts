// Everything back at its defaults, with the offer to take that back.
import { toast } from './history';
import { replaceSettings } from '../core/settings';
import { listOtherRows, viewState } from '../core/view';

export function resetAll() {
  replaceSettings({});
  listOtherRows(Object.fromEntries(Object.keys(viewState.value).map(key => [key, undefined])));
  toast.value = { text: 'Settings, filters and view are reset to their defaults' };
}
