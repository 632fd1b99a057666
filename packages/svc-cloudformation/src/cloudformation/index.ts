import type { AnyResourceProvider } from '@emu/core/service';
import { changeSet } from './change-set.ts';
import { moduleDefaultVersion, moduleVersion, typeActivation } from './extensions.ts';
import { generatedTemplate } from './generated-template.ts';
import { hookTypeConfig, publicTypeVersion, publisher } from './publishing.ts';
import { stackSet } from './stack-set.ts';

/** Providers of those CloudFormation types that a stack creates like any other resource. */
export const providers: readonly AnyResourceProvider[] = [
  changeSet,
  generatedTemplate,
  hookTypeConfig,
  moduleDefaultVersion,
  moduleVersion,
  publicTypeVersion,
  publisher,
  stackSet,
  typeActivation,
];
