// The import warnings in print, where no dialog can be opened.
import { count } from '../format';
import { inPageWords } from '../sources/page_words';
import { remarks, remarksCounted } from '../sources/remark_groups';
import { withCode } from '../widgets/Sentence';

const MOST = 30; // kinds of warnings

export function PrintedRemarks() {
  const { groups } = remarks.value;
  if (groups.length === 0) return null;
  return (
    <section class="on-paper" aria-label={remarksCounted.value.title}>
      <h2>{remarksCounted.value.title}</h2>
      <ul>
        {groups.slice(0, MOST).map(({ severity, message, items }) => (
          <li key={`${severity} ${message}`}>
            {severity}
            {items.length > 1 && `, ${count(items.length)} times`}: {withCode(inPageWords(message))}
          </li>
        ))}
        {groups.length > MOST && <li>and {count(groups.length - MOST)} more kinds</li>}
      </ul>
    </section>
  );
}
