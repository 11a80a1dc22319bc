import { panelFrame } from '../core/engine';

const MOST_OPS = 10_000; // every operation is compared, one by one

/** Whether there are measured times, and few enough to compare one by one. */
export const parityApplies = () => {
  const all = panelFrame.value?.json.all;
  return all !== undefined && all.timed_ops > 0 && all.ops <= MOST_OPS;
};
