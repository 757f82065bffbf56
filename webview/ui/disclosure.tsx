// A button that opens and closes what stands below it.
import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Icon } from './icon';

interface DisclosureProps {
  readonly isOpen: Signal<boolean>;
  readonly children: ComponentChildren;
  readonly class?: string;
}

export function Disclosure({ isOpen, children, class: name = '' }: DisclosureProps) {
  return (
    <button
      type="button"
      class={`disclosure ${name}`.trim()}
      aria-expanded={isOpen.value}
      onClick={() => (isOpen.value = !isOpen.value)}
    >
      <Icon name={isOpen.value ? 'chevron-down' : 'chevron-right'} />
      {children}
    </button>
  );
}
