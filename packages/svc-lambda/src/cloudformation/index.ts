import type { AnyResourceProvider } from '@emu/core/service';
import { capacityProvider } from './capacity-provider.ts';
import { codeSigningConfig } from './code-signing-config.ts';
import { eventSourceMapping } from './event-source-mapping.ts';
import { lambdaFunction } from './function.ts';
import { layerVersion } from './layer-version.ts';
import { layerVersionPermission, permission } from './permission.ts';
import { eventInvokeConfig, url } from './url.ts';
import { alias, version } from './versions.ts';

/** Providers of Lambda's resource types. */
export const providers: readonly AnyResourceProvider[] = [
  capacityProvider,
  alias,
  codeSigningConfig,
  eventInvokeConfig,
  eventSourceMapping,
  lambdaFunction,
  layerVersion,
  layerVersionPermission,
  permission,
  url,
  version,
];
