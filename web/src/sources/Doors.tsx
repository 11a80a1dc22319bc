// Three ways to begin, over the sample of a first visit.
import { closeDoors, doorsOpen } from './first_visit';
import { STARTS } from './starts';

/** The doors; nothing once one was chosen. */
export function Doors() {
  if (!doorsOpen.value) return null;
  return (
    <section class="doors" aria-label="Begin">
      <h2>What do you have?</h2>
      {STARTS.map(([label, text, open]) => (
        <button key={label} type="button" aria-label={label} onClick={() => (closeDoors(), void open())}>
          <strong>{label}</strong>
          <span class="muted">{text}</span>
        </button>
      ))}
      <button type="button" class="ghost" onClick={closeDoors}>
        Look at the sample
      </button>
    </section>
  );
}
