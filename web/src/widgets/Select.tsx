/** Value, text, and the heading that it is listed under; those without one come first. */
type Option<T> = readonly [value: T, text: string, group?: string];

interface Props<T extends string | number> {
  label?: string; // for a screen reader, where no <label> stands around it
  value: T;
  options: readonly Option<T>[];
  onChange: (value: T) => void;
  class?: string;
  title?: string;
}

/** A drop-down list. */
export function Select<T extends string | number>({ label, options: unsorted, onChange, title, ...rest }: Props<T>) {
  const groups = [...new Set(unsorted.map(([, , group = '']) => group))];
  const options = groups.flatMap(name => unsorted.filter(([, , group = '']) => group === name));
  const chosen = options.find(([option]) => option === rest.value)?.[1]; // its text may be cut off
  return (
    <select
      aria-label={label}
      title={title ?? chosen}
      onChange={event => onChange(options[event.currentTarget.selectedIndex]![0])}
      {...rest}
    >
      {groups.map(name => {
        const listed = options
          .filter(([, , group = '']) => group === name)
          .map(([option, text]) => (
            <option key={option} value={option}>
              {text}
            </option>
          ));
        return name ? (
          <optgroup key={name} label={name}>
            {listed}
          </optgroup>
        ) : (
          listed
        );
      })}
    </select>
  );
}
