resource "aws_ssm_parameter" "url" {
  name            = "/app/url"
  description     = "where the application is"
  type            = "String"
  value           = "https://example.com"
  allowed_pattern = "^https://"

  tags = {
    Team = "orders"
  }
}

resource "aws_ssm_parameter" "hosts" {
  name  = "hosts"
  type  = "StringList"
  value = "a,b"
}

resource "aws_ssm_parameter" "password" {
  name  = "/app/password"
  type  = "SecureString"
  value = "hidden"
}

resource "aws_ssm_parameter" "large" {
  name  = "/app/large"
  type  = "String"
  tier  = "Advanced"
  value = join("", [for index in range(1000) : "12345"])
}

data "aws_ssm_parameter" "image" {
  name = "/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-default-x86_64"
}

data "aws_ssm_parameters_by_path" "app" {
  path       = "/app"
  depends_on = [aws_ssm_parameter.url, aws_ssm_parameter.password, aws_ssm_parameter.large]
}

resource "aws_ssm_service_setting" "tier" {
  setting_id    = "arn:aws:ssm:eu-central-1:123456789012:servicesetting/ssm/parameter-store/default-parameter-tier"
  setting_value = "Intelligent-Tiering"
}

output "image" {
  value = nonsensitive(data.aws_ssm_parameter.image.value)
}
