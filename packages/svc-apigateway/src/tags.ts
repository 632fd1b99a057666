import { Tagging, tagsAsMap } from '@emu/core/service';
import { badRequest, limitExceeded } from './errors.ts';

const MAX_TAGS = 50;
/** Tag that sets the id of a new API, as in LocalStack. */
export const CUSTOM_ID = '_custom_id_';

/** Tags of API Gateway's resources. @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-tagging-supported-resources.html */
export const tagging = new Tagging({
  form: tagsAsMap,
  most: MAX_TAGS,
  refuse(problem) {
    switch (problem.code) {
      case 'reserved':
        return badRequest('Invalid tag key specified: aws: prefixed tag key names are not allowed for external use.');
      case 'key-length':
        return badRequest(`Invalid tag key specified: ${problem.key}`);
      case 'value-length':
        return badRequest(`Invalid tag value specified for the key ${problem.key}`);
      case 'characters':
        return badRequest(`Invalid characters in the tag ${problem.key}`);
      case 'too-many':
        return limitExceeded(`A resource cannot have more than ${MAX_TAGS} tags.`);
      default:
        return undefined;
    }
  },
});
