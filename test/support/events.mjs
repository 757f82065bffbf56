// Prints a session's events for people: words as they come, one line for what each call became.
/** @param {(text: string) => void} write */
export function eventPrinter(write) {
  /** @type {Map<string, string>} */
  const titles = new Map();
  let isMidLine = false;
  const line = (/** @type {string} */ text) => {
    write(`${isMidLine ? '\n' : ''}${text}\n`);
    isMidLine = false;
  };
  const words = (/** @type {string} */ text) => {
    write(text);
    isMidLine = !text.endsWith('\n');
  };
  let streamed = new Set();

  return (/** @type {any} */ event) => {
    switch (event.type) {
      case 'turn/started':
        return line(`» ${event.text}`);
      case 'text/delta':
        streamed.add(event.block);
        return words(event.text);
      case 'block/finished':
        // A stored session has no deltas.
        if (event.content.type === 'text' && !streamed.has(event.block)) line(event.content.text);
        return undefined;
      case 'tool/queued':
        titles.set(event.call, event.title);
        return undefined;
      case 'ask/opened':
        return line(`  ? ${titles.get(event.call) ?? event.call}: waits for approval`);
      case 'ask/closed':
        return line(`  ! ${event.answer.decision ?? event.answer.reason ?? event.answer.kind}`);
      case 'tool/finished': {
        const mark = event.status === 'done' ? '✓' : '✗';
        const detail = event.status === 'done' ? '' : `: ${event.text.split('\n')[0]}`;
        return line(
          `  ${mark} ${titles.get(event.call) ?? event.call} (${event.status}, ${Math.round(event.durationMs)} ms)${detail}`,
        );
      }
      case 'retry/waiting':
        return line(
          `  … ${event.reason} Attempt ${event.attempt} of ${event.attempts} in ${Math.ceil(event.delayMs / 1000)} s.`,
        );
      case 'notice':
        return line(`  ${event.level}: ${event.text}`);
      case 'turn/finished':
        return line(`— ${event.end}, ${event.usage.inputTokens} tokens in, ${event.usage.outputTokens} out`);
      default:
        return undefined;
    }
  };
}
