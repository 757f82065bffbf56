// How full the model's window is, as a small ring.
import { formatCount } from '../text/format';

const RADIUS = 6;
const AROUND = 2 * Math.PI * RADIUS;
const NEARLY_FULL = 0.8;

export function ContextMeter({ tokens, window }: { readonly tokens: number; readonly window: number }) {
  if (tokens === 0 || window === 0) return null;
  const share = Math.min(1, tokens / window);
  const percent = Math.round(share * 100);
  const words = `${formatCount(tokens)} of ${formatCount(window)} tokens of context used (${percent} %)`;
  return (
    <span
      class={`context ${share >= NEARLY_FULL ? 'nearly-full' : ''}`}
      role="meter"
      aria-label="Context used"
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuetext={words}
      title={words}
    >
      <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
        <circle class="context-all" cx="8" cy="8" r={RADIUS} />
        <circle
          class="context-used"
          cx="8"
          cy="8"
          r={RADIUS}
          transform="rotate(-90 8 8)"
          stroke-dasharray={`${share * AROUND} ${AROUND}`}
        />
      </svg>
      <span class="context-words">{percent}%</span>
    </span>
  );
}
