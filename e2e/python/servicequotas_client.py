"""Service Quotas with boto3: what is listed, requests for more, and a quota that is enforced."""

import json
import os
import time
import urllib.request

import boto3

quotas = boto3.client("service-quotas")
TOPICS = {"ServiceCode": "sns", "QuotaCode": "L-61103206"}


def control(method, path, body=None):
    request = urllib.request.Request(
        os.environ["AWS_ENDPOINT_URL"] + "/_emulator/service-quotas/" + path,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"content-type": "application/json"},
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


services = [one for page in quotas.get_paginator("list_services").paginate() for one in page["Services"]]
assert {"ServiceCode": "ssm", "ServiceName": "AWS Systems Manager"} in services, services
pages = quotas.get_paginator("list_service_quotas").paginate(ServiceCode="ssm", PaginationConfig={"PageSize": 5})
listed = [quota for page in pages for quota in page["Quotas"]]
assert len({quota["QuotaCode"] for quota in listed}) == len(listed) > 5, listed

default = quotas.get_aws_default_service_quota(**TOPICS)["Quota"]
assert (default["Value"], default["Adjustable"], default["GlobalQuota"]) == (100000.0, True, False), default
try:
    quotas.get_service_quota(ServiceCode="sns", QuotaCode="L-NONE0000")
    raise AssertionError("a quota was found that there is not")
except quotas.exceptions.NoSuchResourceException:
    pass

request = quotas.request_service_quota_increase(**TOPICS, DesiredValue=100001.0)["RequestedQuota"]
while request["Status"] in ("PENDING", "CASE_OPENED"):
    time.sleep(0.1)
    request = quotas.get_requested_service_quota_change(RequestId=request["Id"])["RequestedQuota"]
assert request["Status"] == "APPROVED", request
assert quotas.get_service_quota(**TOPICS)["Quota"]["Value"] == 100001.0
history = quotas.list_requested_service_quota_change_history_by_quota(**TOPICS)["RequestedQuotas"]
assert [one["Id"] for one in history] == [request["Id"]], history

ssm = boto3.client("ssm")
standard = "quotas/ssm/L-C3B871CB"
there = len([one for page in ssm.get_paginator("describe_parameters").paginate() for one in page["Parameters"]])
control("PUT", standard, {"value": there + 1, "enforce": True})
try:
    ssm.put_parameter(Name="/python/quota/1", Value="v", Type="String")
    ssm.put_parameter(Name="/python/quota/2", Value="v", Type="String")
    raise AssertionError("there are more parameters than may be")
except ssm.exceptions.ParameterLimitExceeded:
    pass
finally:
    control("DELETE", standard)
    ssm.delete_parameter(Name="/python/quota/1")
print("ok")
