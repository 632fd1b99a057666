/** Outcome of an HTTP request. */
export interface HttpAnswer {
  /** 0 without a response. */
  Status: number;
  StatusText: string;
  /** Keyed by lower-case name. */
  Headers: Readonly<Record<string, readonly string[]>>;
  Body: string;
  /** Description of a failure. */
  Message: string;
}

/** The request as sent, including parts from the connection. */
export interface SentRequest {
  Url: string;
  /** Keyed by lower-case name. */
  Headers: Readonly<Record<string, string>>;
  Body: string | undefined;
}

/** Internal operations of EventBridge for other services, with its connections and API destinations. */
export interface EventsInternalOperations {
  SendHttpRequest: {
    input: {
      /** ARN of an API destination, or of a method of a REST API. */
      Arn: string;
      HttpParameters: {
        PathParameterValues?: string[] | undefined;
        HeaderParameters?: Record<string, string> | undefined;
        QueryStringParameters?: Record<string, string> | undefined;
      };
      Body: string;
    };
    output: HttpAnswer;
  };
  SendConnectionRequest: {
    input: {
      ConnectionArn: string;
      /** State machine that runs the task. */
      StateMachineArn: string;
      Url: string;
      Method: string;
      /** Keyed by lower-case name. */
      HeaderParameters: Record<string, string>;
      QueryStringParameters: Record<string, string>;
      /** Headers that cannot be overridden. */
      FixedHeaders: Record<string, string>;
      /** JSON text. */
      Body: string | undefined;
      /** Encoding of lists in a form body; undefined for a JSON body. */
      FormArrays: 'BRACKETS' | 'COMMAS' | 'INDICES' | 'NONE' | 'REPEAT' | undefined;
      /** Maximum bytes of the response body. */
      MostBytes: number;
      /** Milliseconds. */
      Timeout: number;
    };
    output: HttpAnswer & { Sent: SentRequest };
  };
}
