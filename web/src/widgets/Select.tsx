interface Props<T extends string | number> {
  label?: string; // for a screen reader, where no <label> stands around it
  value: T;
  options: readonly (readonly [T, string])[];
  onChange: (value: T) => void;
  class?: string;
  title?: string;
}

/** A drop-down list. */
export function Select<T extends string | number>({ label, options, onChange, title, ...rest }: Props<T>) {
  const chosen = options.find(([option]) => option === rest.value)?.[1]; // its text may be cut off
  return (
    <select
      aria-label={label}
      title={title ?? chosen}
      onChange={event => onChange(options[event.currentTarget.selectedIndex]![0])}
      {...rest}
    >
      {options.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </select>
  );
}
