import { taggable, taggedByArn, tagOperations } from '@emu/core/service';
import type { CognitoIdpOperations } from '@emu/service-types/cognito-idp';
import type { CognitoIdpContext } from '../context.ts';
import { notFound } from '../errors.ts';
import { poolType } from '../resources.ts';
import { tagging } from '../tags.ts';

/** Tags of user pools. @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_TagResource.html */
export const tags = tagOperations<CognitoIdpOperations, CognitoIdpContext>()({
  tagging,
  tag: ['TagResource', 'Tags'],
  untag: ['UntagResource', 'TagKeys'],
  list: ['ListTagsForResource', 'Tags'],
  resource: taggedByArn({
    member: 'ResourceArn',
    types: [taggable(poolType, ({ id }) => notFound(`User pool ${id} does not exist.`))],
    unknown: (arn) => notFound(`User pool ${arn.slice(arn.lastIndexOf('/') + 1)} does not exist.`),
  }),
});
