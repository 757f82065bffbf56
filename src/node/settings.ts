// The Settings port: the defaults, with what the caller has set in their place.
import { SETTINGS, type SettingName, type SettingValue, type Settings } from '../common/settings';

export type SettingValues = { readonly [N in SettingName]?: SettingValue<N> };

export function createSettings(values: SettingValues = {}): Settings {
  return {
    get<N extends SettingName>(name: N): SettingValue<N> {
      const value: SettingValue<N> | undefined = values[name];
      return value ?? SETTINGS[name].default;
    },
  };
}
