// The walk on a desk.
import { walkAt } from './walk.mjs';

walkAt({ viewport: { width: 1440, height: 900 }, colorScheme: 'light', hasTouch: false });
