// A button that opens a list of choices above it: arrows move, Enter and Space choose, Esc closes without choosing.
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon } from './icon';

export interface MenuItem {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly isDangerous: boolean;
}

interface MenuProps {
  readonly label: string;
  readonly items: readonly MenuItem[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
  readonly children: ComponentChildren;
  readonly class?: string;
}

export function Menu({ label, items, chosen, onChoose, children, class: more = '' }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  // Before the next key: it is meant for the list already.
  useLayoutEffect(() => {
    if (isOpen) root.current?.querySelector<HTMLElement>('[aria-checked="true"]')?.focus();
  }, [isOpen]);

  useEffect(() => {
    if (!isOpen) return;
    const closeOutside = ({ target }: Event) => {
      if (target instanceof Node && !root.current?.contains(target)) setOpen(false);
    };
    document.addEventListener('pointerdown', closeOutside);
    window.addEventListener('blur', close);
    return () => {
      document.removeEventListener('pointerdown', closeOutside);
      window.removeEventListener('blur', close);
    };
  }, [isOpen]);

  function close(): void {
    setOpen(false);
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen) return;
    if (event.key === 'Escape') {
      // Esc means the menu here, not the turn that runs.
      event.stopPropagation();
      close();
      button.current?.focus();
      return;
    }
    if (event.key === 'Tab') return close();
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const all = [...(root.current?.querySelectorAll<HTMLElement>('[role="menuitemradio"]') ?? [])];
    const at = all.findIndex((item) => item === document.activeElement);
    all.at(step(at, all.length))?.focus();
  };

  return (
    <div class={`menu ${more}`} ref={root} onKeyDown={onKeyDown}>
      <button
        type="button"
        ref={button}
        class="menu-button"
        title={label}
        aria-label={`${label}: ${items.find((item) => item.id === chosen)?.label ?? chosen}`}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {children}
        <Icon name="chevron-down" class="small" />
      </button>
      {isOpen && (
        <div class="menu-list" role="menu" id={id} aria-label={label}>
          {items.map((item) => (
            <button
              type="button"
              key={item.id}
              role="menuitemradio"
              aria-checked={item.id === chosen}
              tabIndex={-1}
              class={`menu-item ${item.isDangerous ? 'danger' : ''}`}
              onClick={() => {
                close();
                button.current?.focus();
                if (item.id !== chosen) onChoose(item.id);
              }}
            >
              <Icon name={item.id === chosen ? 'check' : 'blank'} />
              <span class="choice">
                <span class="choice-label">{item.label}</span>
                <span class="choice-description">{item.description}</span>
              </span>
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

const STEPS: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};
