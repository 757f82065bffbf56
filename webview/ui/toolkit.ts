// The VS Code webview toolkit, registered once. It is archived: nothing outside this folder may know that it is there.
import {
  provideVSCodeDesignSystem,
  vsCodeBadge,
  vsCodeButton,
  vsCodeCheckbox,
  vsCodeProgressRing,
  vsCodeRadio,
  vsCodeRadioGroup,
  vsCodeTextField,
} from '@vscode/webview-ui-toolkit';
import type { ComponentChildren } from 'preact';

interface ToolkitAttributes {
  readonly key?: string;
  readonly ref?: (element: HTMLElement | null) => void;
  readonly children?: ComponentChildren;
  readonly class?: string;
  readonly title?: string;
  readonly disabled?: boolean;
  readonly onClick?: () => void;
  readonly onChange?: (event: Event) => void;
  readonly onInput?: (event: Event) => void;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
  readonly 'aria-label'?: string;
  readonly 'aria-describedby'?: string;
}

declare module 'preact' {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- the only way to tell JSX about custom elements
  namespace JSX {
    interface IntrinsicElements {
      'vscode-badge': ToolkitAttributes;
      'vscode-button': ToolkitAttributes & { readonly appearance: 'primary' | 'secondary' | 'icon' };
      'vscode-checkbox': ToolkitAttributes & { readonly checked: boolean };
      'vscode-progress-ring': ToolkitAttributes;
      'vscode-radio': ToolkitAttributes & { readonly value: string; readonly checked: boolean };
      'vscode-radio-group': ToolkitAttributes & { readonly value?: string; readonly orientation: 'vertical' };
      'vscode-text-field': ToolkitAttributes & { readonly value: string; readonly placeholder?: string };
    }
  }
}

export function registerControls(): void {
  provideVSCodeDesignSystem().register(
    vsCodeBadge(),
    vsCodeButton(),
    vsCodeCheckbox(),
    vsCodeProgressRing(),
    vsCodeRadio(),
    vsCodeRadioGroup(),
    vsCodeTextField(),
  );
}
