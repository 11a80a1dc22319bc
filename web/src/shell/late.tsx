// Views that are loaded when the first of them is shown: the first chart does not wait for their code.
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { loadScript, loadStyle, urlOf } from '../core/assets';
import type * as Views from './late_views';

declare global {
  var RooflineViews: typeof Views | undefined;
}

let loading: Promise<typeof Views> | null = null;

function load() {
  loading ??= (async () => {
    await loadStyle('views.css');
    await loadScript(await urlOf('views.js', 'text/javascript'));
    return globalThis.RooflineViews!;
  })();
  loading.catch(() => (loading = null)); // the next view tries again
  return loading;
}

/** The view of this name, empty until it is there. */
export const late = (name: keyof typeof Views): ComponentType =>
  function Late() {
    const [views, setViews] = useState(globalThis.RooflineViews);
    const [fault, setFault] = useState('');
    useEffect(() => {
      load().then(setViews, (error: Error) => setFault(error.message));
    }, []);
    const View = views?.[name];
    return View ? (
      <View />
    ) : (
      <p class="hint" aria-busy={!fault}>
        {fault}
      </p>
    );
  };
