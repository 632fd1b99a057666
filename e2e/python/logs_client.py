"""The client of CloudWatch Logs: events, pages, queries, and events that are sent with a bearer token."""

import json
import os
import time
import urllib.error
import urllib.request

import boto3
from botocore.exceptions import ClientError

logs = boto3.client("logs")
iam = boto3.client("iam")
group = {"logGroupName": "/boto3/app"}
stream = {**group, "logStreamName": "one"}
now = int(time.time() * 1000)

logs.create_log_group(**group, tags={"team": "a"})
logs.create_log_stream(**stream)
events = [{"timestamp": now + n, "message": json.dumps({"level": level, "n": n})} for n, level in enumerate(["INFO", "ERROR", "ERROR"])]
answer = logs.put_log_events(**stream, logEvents=events)
assert "rejectedLogEventsInfo" not in answer, answer
pages = logs.get_paginator("filter_log_events").paginate(**group, filterPattern='{ $.level = "ERROR" }', PaginationConfig={"PageSize": 1})
found = [json.loads(event["message"])["n"] for page in pages for event in page["events"]]
assert found == [1, 2], found
try:
    logs.get_log_events(**group, logStreamName="none")
    raise AssertionError("a stream that is not there was read")
except ClientError as error:
    assert error.response["Error"]["Code"] == "ResourceNotFoundException", error


def rows(query, **request):
    window = {"startTime": now // 1000 - 60, "endTime": now // 1000 + 60}
    query_id = logs.start_query(queryString=query, **window, **request)["queryId"]
    while (answer := logs.get_query_results(queryId=query_id))["status"] in ("Scheduled", "Running"):
        time.sleep(0.05)
    assert answer["status"] == "Complete", answer
    return [{field["field"]: field["value"] for field in row} for row in answer["results"]]


assert rows("stats sum(n) as total by level | sort level", **group) == [
    {"level": "ERROR", "total": "3"},
    {"level": "INFO", "total": "0"},
]
try:
    counted = rows("SELECT level, COUNT(*) AS total FROM `/boto3/app` GROUP BY level ORDER BY level", queryLanguage="SQL")
    assert counted == [{"level": "ERROR", "total": "2"}, {"level": "INFO", "total": "1"}], counted
except ClientError as error:
    # SQL requires DuckDB.
    assert error.response["Error"]["Code"] == "NotImplemented", error


def follow(start, wanted):
    """Events from a time on until so many have come, as `aws logs tail --follow` of version 2 gets them: by polling."""
    seen = set()
    request = {**group, "startTime": start, "interleaved": True}
    while True:
        page = logs.filter_log_events(**request)
        for event in page["events"]:
            request["startTime"] = max(request["startTime"], event["timestamp"])
            if event["eventId"] not in seen:
                seen.add(event["eventId"])
                yield event["message"]
        if len(seen) >= wanted:
            return
        request.pop("nextToken", None)
        if "nextToken" in page:
            request["nextToken"] = page["nextToken"]
        else:
            time.sleep(0.05)


followed = []
for message in follow(now, 5):
    followed.append(message)
    if len(followed) == 3:
        # Events that arrive meanwhile, also at the time of the last event, are returned once.
        late = [{"timestamp": now + 2, "message": "same time"}, {"timestamp": now + 3, "message": "later"}]
        logs.put_log_events(**stream, logEvents=late)
assert followed == [event["message"] for event in events] + ["same time", "later"], followed

iam.create_user(UserName="collector")
key = iam.create_service_specific_credential(UserName="collector", ServiceName="logs.amazonaws.com")
token = key["ServiceSpecificCredential"]["ServiceCredentialSecret"]


def send():
    request = urllib.request.Request(
        os.environ["AWS_ENDPOINT_URL"] + "/services/collector/event",
        data=json.dumps({"event": "sent", "time": now / 1000}).encode(),
        headers={
            "authorization": f"Bearer {token}",
            "content-type": "application/json",
            "x-aws-log-group": group["logGroupName"],
            "x-aws-log-stream": "one",
        },
    )
    try:
        with urllib.request.urlopen(request) as response:
            return response.status
    except urllib.error.HTTPError as error:
        return error.code


assert send() == 401
logs.put_bearer_token_authentication(logGroupIdentifier=group["logGroupName"], bearerTokenAuthenticationEnabled=True)
assert send() == 200
messages = [event["message"] for event in logs.filter_log_events(**group, filterPattern="sent")["events"]]
assert [json.loads(message)["event"] for message in messages] == ["sent"], messages
iam.delete_service_specific_credential(
    UserName="collector", ServiceSpecificCredentialId=key["ServiceSpecificCredential"]["ServiceSpecificCredentialId"]
)
assert send() == 401
logs.delete_log_group(**group)
assert not logs.describe_log_groups(logGroupNamePrefix="/boto3")["logGroups"]
print("ok")
