resource "aws_servicequotas_service_quota" "topics" {
  service_code = "sns"
  quota_code   = "L-61103206"
  value        = 150000
}

# Quotas without an increase have their defaults.
data "aws_servicequotas_service_quota" "roles" {
  service_code = "iam"
  quota_name   = "Roles per account"
}

data "aws_servicequotas_service" "sns" {
  service_name = "Amazon Simple Notification Service (Amazon SNS)"
}

check "defaults" {
  assert {
    condition     = data.aws_servicequotas_service_quota.roles.value == data.aws_servicequotas_service_quota.roles.default_value
    error_message = "The quota of roles has another value than its default."
  }
  assert {
    condition     = data.aws_servicequotas_service.sns.service_code == "sns"
    error_message = "SNS has another code."
  }
}
