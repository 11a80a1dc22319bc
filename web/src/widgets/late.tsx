// Views and functions that are loaded when the first of them is needed: the first chart does not wait for their code.
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { loadScript, loadStyle, urlOf } from '../core/assets';
import type * as Views from '../shell/late_views';

declare global {
  var RooflineViews: typeof Views | undefined;
}

let loading: Promise<typeof Views> | null = null;

/** Loads the exports of shell/late_views.ts, once. */
export function loadLateViews() {
  loading ??= (async () => {
    await loadStyle('views.css');
    await loadScript(await urlOf('views.js', 'text/javascript'));
    return globalThis.RooflineViews!;
  })();
  loading.catch(() => (loading = null)); // the next one tries again
  return loading;
}

/** The view of this name and its props, empty until it is there. */
export const late = <Props extends object = object>(name: keyof typeof Views): ComponentType<Props> =>
  function Late(props: Props) {
    const [views, setViews] = useState(globalThis.RooflineViews);
    const [fault, setFault] = useState('');
    useEffect(() => {
      loadLateViews().then(setViews, (error: Error) => setFault(error.message));
    }, []);
    const View = views?.[name] as ComponentType<Props> | undefined;
    return View ? (
      <View {...props} />
    ) : (
      <p class="hint" aria-busy={!fault}>
        {fault}
      </p>
    );
  };
