// A model's text. While it streams, blocks that are done are left alone and only the last one is drawn again.
import { useMemo, useRef } from 'preact/hooks';
import { usePanel } from '../panel';
import { showHidden } from '../text/visible';
import { growBlocks, NO_BLOCKS } from './blocks';
import {
  BLOCK_MAX_TOKENS,
  isParsable,
  MARKDOWN_MAX_BLOCKS,
  MARKDOWN_MAX_CHARS,
  parseBlocks,
  parseMarkdown,
  type References,
  type Token,
} from './parser';
import { renderTokens } from './render';

const NO_REFERENCES: References = {};

interface MarkdownProps {
  readonly text: string;
  readonly streaming: boolean;
}

export function Markdown({ text, streaming }: MarkdownProps) {
  if (text.length > MARKDOWN_MAX_CHARS) return <Plain text={text} />;
  return <Parsed text={text} streaming={streaming} />;
}

function Parsed({ text, streaming }: MarkdownProps) {
  const blocks = useRef(NO_BLOCKS);
  blocks.current = growBlocks(blocks.current, text);
  // Only when nothing more will come can a link find its definition further down.
  const whole = streaming ? '' : text;
  const references = useMemo(() => referencesOf(whole), [whole]);
  const { settled, live } = blocks.current;
  if (settled.length > MARKDOWN_MAX_BLOCKS) return <Plain text={text} />;
  return (
    <div class="markdown" dir="auto">
      {[...settled, live].map((source, index) => (
        <Block key={index} source={source} references={references} />
      ))}
    </div>
  );
}

function referencesOf(text: string): References {
  const { references } = parseBlocks(text);
  return Object.keys(references).length > 0 ? references : NO_REFERENCES;
}

function Block({ source, references }: { readonly source: string; readonly references: References }) {
  const { actions } = usePanel();
  // The same element again tells Preact that there is nothing to compare below it.
  return useMemo(() => {
    if (!isParsable(source)) return <Plain text={source} />;
    const tokens = parseMarkdown(source, references);
    return countTokens(tokens) > BLOCK_MAX_TOKENS ? <Plain text={source} /> : <>{renderTokens(tokens, actions)}</>;
  }, [source, references, actions]);
}

function countTokens(tokens: readonly Token[]): number {
  return tokens.reduce((sum, { children }) => sum + 1 + (children?.length ?? 0), 0);
}

function Plain({ text }: { readonly text: string }) {
  return (
    <pre class="plain" dir="auto">
      {showHidden(text)}
    </pre>
  );
}
