/**
 * The tag by which resources belong to an application; its value is the ARN of the group.
 * @see https://docs.aws.amazon.com/servicecatalog/latest/arguide/ar-user-tags.html
 */
export const APPLICATION_TAG = 'awsApplication';
