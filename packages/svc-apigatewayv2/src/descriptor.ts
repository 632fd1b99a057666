import { descriptorsOf } from '@emu/core/descriptors';
import type { ServiceModel } from '@emu/wire';
import model from '../model/apigatewayv2.json' with { type: 'json' };
import { paging, withLimit } from './paging.ts';
import type { Apigatewayv2State } from './state.ts';
import { tagging } from './tags.ts';

type Tags = Record<string, string>;

/** Declares a regular resource of API Gateway. */
export const descriptor = descriptorsOf<Apigatewayv2State>()({
  model: model as unknown as ServiceModel,
  paging,
  listInput: withLimit,
  tags: {
    member: 'Tags',
    atCreation: (input) => tagging.merge(undefined, (input as { Tags?: Tags }).Tags),
    record: (tags) => tags as Tags,
  },
});
