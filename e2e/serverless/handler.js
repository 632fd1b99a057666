/** What called the function: an HTTP request, a queue, a stream or a schedule. */
const caller = ({ Records, requestContext, 'detail-type': detail }) =>
  Records?.[0].eventSource ?? requestContext?.http.path ?? detail;

exports.hello = async (event) => {
  console.log(`called by ${caller(event)}`);
  const { name = 'world' } = event;
  return { statusCode: 200, body: `hello ${name}` };
};
