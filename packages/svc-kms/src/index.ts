import { definePlugin } from '@emu/core/service';
import type { KmsOperations } from '@emu/service-types/kms';
import type { ServiceModel } from '@emu/wire';
import model from '../model/kms.json' with { type: 'json' };
import { authorization } from './authorization.ts';
import { control } from './control.ts';
import * as aliases from './operations/aliases.ts';
import * as customKeyStores from './operations/custom-key-stores.ts';
import * as dataKeys from './operations/data-keys.ts';
import * as encryption from './operations/encryption.ts';
import * as grants from './operations/grants.ts';
import * as imports from './operations/imports.ts';
import * as keys from './operations/keys.ts';
import * as multiRegion from './operations/multi-region.ts';
import * as policies from './operations/policies.ts';
import * as rotation from './operations/rotation.ts';
import * as signing from './operations/signing.ts';
import { tags } from './operations/tags.ts';
import { paging } from './paging.ts';
import { collections } from './records.ts';
import { aliasType, keyType } from './resources.ts';
import { createState, type KmsState } from './state.ts';

/** AWS Key Management Service. */
export const plugin = definePlugin<KmsOperations, KmsState>({
  name: 'kms',
  model: model as unknown as ServiceModel,
  stateScope: 'region',
  collections,
  createState,
  control,
  authorization,
  paging,
  resources: [aliasType, keyType],
  operations: [
    aliases,
    customKeyStores,
    dataKeys,
    encryption,
    grants,
    imports,
    keys,
    multiRegion,
    policies,
    rotation,
    signing,
    tags,
  ],
});
