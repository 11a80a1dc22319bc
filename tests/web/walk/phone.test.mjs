// The walk on a phone.
import { walkAt } from './walk.mjs';

walkAt({ viewport: { width: 390, height: 844 }, colorScheme: 'light', hasTouch: true });
