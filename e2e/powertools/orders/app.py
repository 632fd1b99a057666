import json

from aws_lambda_powertools import Logger

logger = Logger()


@logger.inject_lambda_context
def handler(event, context):
    order = {"id": event["pathParameters"]["id"], "state": "new"}
    logger.info("order found", order=order["id"])
    return {"statusCode": 200, "headers": {"content-type": "application/json"}, "body": json.dumps(order)}
