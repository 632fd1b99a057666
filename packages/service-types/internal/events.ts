/** What EventBridge does for other services without an API of AWS's: its connections and API destinations are its own. */
export interface EventsInternalOperations {
  SendHttpRequest: {
    input: {
      /** An API destination, or a method of a REST API. */
      Arn: string;
      HttpParameters: {
        PathParameterValues?: string[] | undefined;
        HeaderParameters?: Record<string, string> | undefined;
        QueryStringParameters?: Record<string, string> | undefined;
      };
      Body: string;
    };
    /** `Status` is 0, and `Message` says why, where no answer came. */
    output: { Status: number; Body: string; Message: string };
  };
}
