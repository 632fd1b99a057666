import { taggable, taggedByArn, tagOperations } from '@emu/core/service';
import type { CognitoIdentityOperations } from '@emu/service-types/cognito-identity';
import type { CognitoIdentityContext } from '../context.ts';
import { invalidParameter, poolNotFound } from '../errors.ts';
import { poolType } from '../resources.ts';
import { tagging } from '../tags.ts';

/** Tags of identity pools. @see https://docs.aws.amazon.com/cognitoidentity/latest/APIReference/API_TagResource.html */
export const tags = tagOperations<CognitoIdentityOperations, CognitoIdentityContext>()({
  tagging,
  tag: ['TagResource', 'Tags'],
  untag: ['UntagResource', 'TagKeys'],
  list: ['ListTagsForResource', 'Tags'],
  resource: taggedByArn({
    member: 'ResourceArn',
    types: [taggable(poolType, ({ id }) => poolNotFound(id))],
    unknown: () => invalidParameter('Invalid ARN of an identity pool.'),
  }),
});
