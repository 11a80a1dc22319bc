// The walk on a tablet.
import { walkAt } from './walk.mjs';

walkAt({ viewport: { width: 768, height: 1024 }, colorScheme: 'dark', hasTouch: true });
