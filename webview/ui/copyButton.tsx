// Copies a text and says that it did.
import { useEffect, useState } from 'preact/hooks';
import { IconButton } from './controls';

const THANKS_MS = 1_500;

export function CopyButton({ label, text }: { readonly label: string; readonly text: () => string }) {
  const [state, setState] = useState<'idle' | 'copied' | 'refused'>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), THANKS_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = () => {
    navigator.clipboard.writeText(text()).then(
      () => setState('copied'),
      () => setState('refused'),
    );
  };
  const shown = {
    idle: { icon: 'copy', label },
    copied: { icon: 'check', label: 'Copied' },
    refused: { icon: 'error', label: 'The clipboard could not be written' },
  }[state];
  return <IconButton {...shown} onClick={copy} class="copy" />;
}
