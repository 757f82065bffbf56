// A block of code: its text as it is, a name for its language, a button that copies it.
import { showHidden } from '../text/visible';
import { CopyButton } from '../ui/copyButton';

export function CodeBlock({ code, language }: { readonly code: string; readonly language: string }) {
  return (
    <div class="code-block">
      <div class="code-head">
        <span class="code-language">{showHidden(language)}</span>
        <CopyButton label="Copy code" text={() => code} />
      </div>
      <pre tabIndex={0} aria-label={language ? `Code in ${showHidden(language)}` : 'Code'} role="group">
        <code>{showHidden(code.replace(/\n$/, ''))}</code>
      </pre>
    </div>
  );
}
