// Markdown tokens as elements. Only what is listed here can come out: no HTML string is ever made, no picture is ever loaded.
import { createElement, type ComponentChild, type ComponentChildren } from 'preact';
import { Icon } from '../ui/icon';
import { showHidden } from '../text/visible';
import { CodeBlock } from './codeBlock';
import { needsPlace, parseLink } from './links';
import type { Token } from './parser';

export interface LinkActions {
  openLink(url: string): void;
  openFile(path: string, line?: number): void;
}

const TAGS: ReadonlySet<string> = new Set('p ul ol li blockquote thead tbody tr th td strong em s'.split(' '));
const HEADING = /^h([1-6])$/;
const ALIGNMENT = /text-align:(left|right|center)/;

interface Open {
  readonly token: Token | undefined;
  readonly children: ComponentChild[];
}

export function renderTokens(tokens: readonly Token[], links: LinkActions): ComponentChild[] {
  const root: Open = { token: undefined, children: [] };
  const open: Open[] = [root];
  const top = () => open.at(-1) ?? root;
  for (const token of tokens) {
    if (token.nesting === 1) {
      open.push({ token, children: [] });
      continue;
    }
    if (token.nesting === 0) {
      top().children.push(renderLeaf(token, links));
      continue;
    }
    const closed = open.length > 1 ? open.pop() : undefined;
    if (closed?.token) top().children.push(renderElement(closed.token, closed.children, links));
  }
  return root.children;
}

function renderLeaf(token: Token, links: LinkActions): ComponentChild {
  switch (token.type) {
    case 'inline':
      return renderTokens(token.children ?? [], links);
    case 'softbreak':
      return '\n';
    case 'hardbreak':
      return <br />;
    case 'hr':
      return <hr />;
    case 'code_inline':
      return <code>{showHidden(token.content)}</code>;
    case 'fence':
    case 'code_block':
      return <CodeBlock code={token.content} language={token.info.trim().split(/\s+/)[0] ?? ''} />;
    case 'image':
      return renderImage(token, links);
    default:
      return showHidden(token.content);
  }
}

function renderElement(token: Token, children: ComponentChild[], links: LinkActions): ComponentChild {
  if (token.hidden) return children;
  if (token.tag === 'a') return renderLink(attribute(token, 'href'), children, links);
  const level = HEADING.exec(token.tag)?.[1];
  // Under the heading of its turn every heading is one level; how large it looks is the text's own.
  if (level !== undefined) return <h3 class={`heading heading-${level}`}>{children}</h3>;
  if (token.tag === 'table') {
    return (
      <div class="table" role="group" aria-label="Table" tabIndex={0}>
        <table>{children}</table>
      </div>
    );
  }
  if (!TAGS.has(token.tag)) return children;
  const alignment = ALIGNMENT.exec(attribute(token, 'style'))?.[1];
  const start = token.tag === 'ol' ? Number(attribute(token, 'start') || 1) : 1;
  return createElement(
    token.tag,
    {
      ...(alignment && { class: `align-${alignment}` }),
      ...(start !== 1 && { start }),
      ...((token.tag === 'p' || token.tag === 'li') && { dir: 'auto' }),
    },
    children,
  );
}

/** A picture as its words: loading it would tell its server what the model wrote into the address. */
function renderImage(token: Token, links: LinkActions): ComponentChild {
  const label = token.content.trim() || 'Picture';
  return (
    <span class="picture">
      <Icon name="file-media" />
      {renderLink(attribute(token, 'src'), [showHidden(label)], links)}
    </span>
  );
}

function renderLink(href: string, children: ComponentChildren, links: LinkActions): ComponentChild {
  const target = parseLink(href);
  if (!target) return <span>{children}</span>;
  if (target.kind === 'file') {
    const { path, line } = target;
    return (
      <button type="button" class="link" title={showHidden(path)} onClick={() => links.openFile(path, line)}>
        {children}
      </button>
    );
  }
  const { url, place } = target;
  const open = (event: Event) => {
    // The page around this one would open it without the host's say.
    event.preventDefault();
    event.stopPropagation();
    links.openLink(url);
  };
  return (
    <a href={url} title={url} rel="noreferrer" onClick={open} onAuxClick={open}>
      {children}
      {needsPlace(textOf(children), place) && <span class="place"> ({showHidden(place)})</span>}
    </a>
  );
}

function attribute(token: Token, name: string): string {
  return String(token.attrGet(name) ?? '');
}

function textOf(children: ComponentChildren): string {
  if (Array.isArray(children)) return children.map(textOf).join('');
  if (typeof children === 'string' || typeof children === 'number') return String(children);
  if (typeof children === 'object' && children !== null && 'props' in children) {
    return textOf((children.props as { children?: ComponentChildren }).children);
  }
  return '';
}
