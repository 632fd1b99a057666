/**
 * Tag that assigns resources to an application. Its value is the ARN of the group.
 * @see https://docs.aws.amazon.com/servicecatalog/latest/arguide/ar-user-tags.html
 */
export const APPLICATION_TAG = 'awsApplication';
