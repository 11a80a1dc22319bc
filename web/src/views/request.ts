// The filters as the questions about time take them (core/src/ask/time.cpp).
import { viewState } from '../state/view';

export function boundsRequest() {
  const { categories, types, steps, bounds, search, noInfeed } = viewState.value;
  return { infeed: !noInfeed, categories: categories ?? types ?? [], steps: steps ?? [], bounds: bounds ?? [], name: search ?? '' };
}
