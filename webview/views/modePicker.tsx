// Which permission mode holds, and the others to choose from. A dangerous one is confirmed by the host.
import { isMode, MODE_INFO, MODES, type Mode } from '../../src/common/modes';
import { usePanel } from '../panel';
import { Icon } from '../ui/icon';
import { Menu } from '../ui/menu';

const ICONS: Readonly<Record<Mode, string>> = {
  ask: 'shield',
  acceptEdits: 'edit',
  plan: 'list-unordered',
  review: 'eye',
  explore: 'search',
  auto: 'rocket',
  bypass: 'unlock',
};
const ITEMS = MODES.map((id) => ({
  id,
  label: MODE_INFO[id].label,
  description: MODE_INFO[id].description,
  isDangerous: MODE_INFO[id].dangerous,
}));

export function ModePicker({ mode }: { readonly mode: Mode }) {
  const { actions } = usePanel();
  const { label, dangerous } = MODE_INFO[mode];
  return (
    <Menu
      label="Permission mode"
      class={dangerous ? 'danger' : ''}
      items={ITEMS}
      chosen={mode}
      onChoose={(id) => {
        if (isMode(id)) actions.setMode(id);
      }}
    >
      <Icon name={ICONS[mode]} />
      <span class="menu-words">{label}</span>
    </Menu>
  );
}
