import { render } from 'preact';
import { App } from './App';
import { openOwnDocuments } from './state/assets';
import { complain } from './state/files';
import { acceptDropsAndPaste } from './state/input';
import { acceptKeys } from './state/keys';
import { startSession } from './state/session';
import './state/theme';
import { showTab, tabs } from './views';

render(<App />, document.getElementById('app')!);
acceptDropsAndPaste();
openOwnDocuments();
acceptKeys(at => {
  const { shown, more } = tabs();
  const tab = [...shown, ...more][at];
  if (tab) showTab(tab);
});
startSession().catch((error: unknown) => complain('Roofline cannot start', error));
