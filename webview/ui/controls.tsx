// The panel's controls: what views use, whatever library draws them.
import type { ComponentChildren } from 'preact';
import { Icon } from './icon';

interface ButtonProps {
  readonly children: ComponentChildren;
  readonly onClick: () => void;
  readonly look?: 'primary' | 'secondary';
  readonly disabled?: boolean;
  readonly title?: string;
  readonly describedBy?: string;
}

export function Button({ children, onClick, look = 'secondary', disabled = false, title, describedBy }: ButtonProps) {
  return (
    <vscode-button
      appearance={look}
      disabled={disabled}
      onClick={() => {
        if (!disabled) onClick();
      }}
      {...(title !== undefined && { title })}
      {...(describedBy !== undefined && { 'aria-describedby': describedBy })}
    >
      {children}
    </vscode-button>
  );
}

interface IconButtonProps {
  readonly icon: string;
  /** Read by screen readers, and shown as a tooltip. */
  readonly label: string;
  readonly onClick: () => void;
  readonly disabled?: boolean;
  readonly class?: string;
}

/** A plain button, not the toolkit's: there are hundreds of them in a transcript, and a shadow tree each would be felt. */
export function IconButton({ icon, label, onClick, disabled = false, class: name = '' }: IconButtonProps) {
  return (
    <button
      type="button"
      class={`icon-button ${name}`}
      title={label}
      aria-label={label}
      disabled={disabled}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}

interface LinkButtonProps {
  readonly children: ComponentChildren;
  readonly onClick: () => void;
  readonly title?: string;
}

/** Looks like a link, acts in the editor. */
export function LinkButton({ children, onClick, title }: LinkButtonProps) {
  return (
    <button type="button" class="link" title={title} onClick={onClick}>
      {children}
    </button>
  );
}

export function Spinner() {
  return <Icon name="loading" class="spin" />;
}

export function Badge({ children }: { readonly children: ComponentChildren }) {
  return <vscode-badge>{children}</vscode-badge>;
}

export function Busy({ label }: { readonly label: string }) {
  return <vscode-progress-ring aria-label={label} />;
}

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly placeholder?: string;
  readonly onInput: (value: string) => void;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
}

export function TextField({ label, value, placeholder, onInput, onKeyDown }: TextFieldProps) {
  return (
    <vscode-text-field
      // Not as an attribute: the control writes a name of its own over it when it is put into the page.
      ref={(field) => field?.setAttribute('aria-label', label)}
      value={value}
      onInput={({ target }) => onInput((target as HTMLInputElement).value)}
      {...(placeholder !== undefined && { placeholder })}
      {...(onKeyDown && { onKeyDown })}
    />
  );
}

export interface Choice {
  readonly label: string;
  readonly description: string;
}

interface ChoicesProps {
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

export function RadioChoices({ label, choices, chosen, onChange }: ChoicesProps) {
  return (
    <vscode-radio-group
      orientation="vertical"
      aria-label={label}
      // An empty value is one to the group: no key would reach a choice, since none of them has it.
      {...(chosen[0] !== undefined && { value: chosen[0] })}
      onChange={({ target }) => {
        const { value } = target as HTMLInputElement;
        // The group says it too when it is given its value.
        if (value && value !== chosen[0]) onChange([value]);
      }}
    >
      {choices.map((choice) => (
        <vscode-radio key={choice.label} value={choice.label} checked={chosen[0] === choice.label}>
          <ChoiceWords {...choice} />
        </vscode-radio>
      ))}
    </vscode-radio-group>
  );
}

export function CheckboxChoices({ label, choices, chosen, onChange }: ChoicesProps) {
  return (
    <div role="group" aria-label={label} class="checkboxes">
      {choices.map((choice) => (
        <vscode-checkbox
          key={choice.label}
          checked={chosen.includes(choice.label)}
          onChange={({ target }) => {
            const isOn = (target as HTMLInputElement).checked;
            if (isOn === chosen.includes(choice.label)) return;
            onChange(isOn ? [...chosen, choice.label] : chosen.filter((other) => other !== choice.label));
          }}
        >
          <ChoiceWords {...choice} />
        </vscode-checkbox>
      ))}
    </div>
  );
}

function ChoiceWords({ label, description }: Choice) {
  return (
    <span class="choice">
      <span class="choice-label">{label}</span>
      {/* The blank is for the name that a screen reader gets. */}
      {description && <span class="choice-description"> {description}</span>}
    </span>
  );
}
