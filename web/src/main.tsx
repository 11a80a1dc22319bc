import { render } from 'preact';
import { App } from './App';
import { complain } from './state/files';
import { acceptDropsAndPaste } from './state/input';
import { acceptKeys } from './state/keys';
import { startSession } from './state/session';
import './state/theme';

render(<App />, document.getElementById('app')!);
acceptDropsAndPaste();
acceptKeys();
startSession().catch((error: unknown) => complain('Roofline cannot start', error));
