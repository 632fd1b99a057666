import { models } from '../resources/models.ts';
import { sampleTemplate } from '../schema-template.ts';

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-models.html#CreateModel */
export const CreateModel = models.createHandler('CreateModel', {
  defaults: () => ({ ContentType: 'application/json' }),
});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-models-modelid.html#GetModel */
export const GetModel = models.getHandler('GetModel', {});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-models.html#GetModels */
export const GetModels = models.listHandler('GetModels', {});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-models-modelid-template.html#GetModelTemplate */
export const GetModelTemplate = models.getHandler('GetModelTemplate', {
  answer: ({ Schema }) => ({ Value: sampleTemplate(Schema) }),
});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-models-modelid.html#UpdateModel */
export const UpdateModel = models.updateHandler('UpdateModel', {});

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-models-modelid.html#DeleteModel */
export const DeleteModel = models.deleteHandler('DeleteModel', {});
