import type { ReactNode } from 'react';

/** A choice of one by the system's own list, with its name above it. */
export function Select<Value extends string>(props: {
  readonly label: string;
  readonly name?: string;
  readonly value?: Value;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly isLabelHidden?: boolean;
  readonly onChoose?: (value: Value) => void;
}): ReactNode {
  const { label, name, value, options, isLabelHidden = false, onChoose } = props;
  const choose = (chosen: string): void => {
    const option = options.find((each) => each.value === chosen);
    if (option !== undefined) onChoose?.(option.value);
  };
  return (
    <label className="field">
      <span className={isLabelHidden ? 'hidden-text' : 'field-label'}>{label}</span>
      <select
        className="select"
        name={name}
        {...(onChoose === undefined ? {} : { value, onChange: (event) => choose(event.currentTarget.value) })}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </label>
  );
}
