variable "package" {
  type = string
}

resource "aws_kms_key" "app" {
  description             = "of the application"
  deletion_window_in_days = 7
  enable_key_rotation     = true
  tags                    = { Team = "orders" }
}

resource "aws_kms_alias" "app" {
  name          = "alias/app"
  target_key_id = aws_kms_key.app.key_id
}

resource "aws_kms_key" "signing" {
  customer_master_key_spec = "ECC_NIST_P256"
  key_usage                = "SIGN_VERIFY"
  deletion_window_in_days  = 7
}

resource "aws_kms_key" "macs" {
  customer_master_key_spec = "HMAC_256"
  key_usage                = "GENERATE_VERIFY_MAC"
  deletion_window_in_days  = 7
}

data "aws_kms_alias" "s3" {
  name = "alias/aws/s3"
}

resource "aws_kms_grant" "app" {
  name              = "app"
  key_id            = aws_kms_key.app.key_id
  grantee_principal = "arn:aws:iam::123456789012:role/app"
  operations        = ["Encrypt", "Decrypt", "GenerateDataKey"]

  constraints {
    encryption_context_equals = {
      Department = "Finance"
    }
  }
}

resource "aws_secretsmanager_secret" "database" {
  name                    = "app/database"
  description             = "of the database"
  kms_key_id              = aws_kms_key.app.arn
  recovery_window_in_days = 0
  tags                    = { Team = "orders" }
}

resource "aws_secretsmanager_secret_version" "database" {
  secret_id     = aws_secretsmanager_secret.database.id
  secret_string = jsonencode({ user = "admin", password = "hidden" })
}

resource "aws_secretsmanager_secret_policy" "database" {
  secret_arn = aws_secretsmanager_secret.database.arn
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Sid       = "read"
      Effect    = "Allow"
      Principal = { AWS = "arn:aws:iam::123456789012:root" }
      Action    = "secretsmanager:GetSecretValue"
      Resource  = "*"
    }]
  })
}

resource "aws_secretsmanager_secret" "replicated" {
  name                    = "app/replicated"
  recovery_window_in_days = 0

  replica {
    region = "eu-west-1"
  }
}

resource "aws_lambda_function" "rotate" {
  function_name    = "rotate"
  role             = "arn:aws:iam::123456789012:role/rotate"
  runtime          = "nodejs20.x"
  handler          = "index.handler"
  filename         = var.package
  source_code_hash = filebase64sha256(var.package)
}

resource "aws_lambda_permission" "rotate" {
  statement_id  = "rotate"
  action        = "lambda:InvokeFunction"
  function_name = aws_lambda_function.rotate.function_name
  principal     = "secretsmanager.amazonaws.com"
}

resource "aws_secretsmanager_secret_rotation" "database" {
  secret_id           = aws_secretsmanager_secret.database.id
  rotation_lambda_arn = aws_lambda_function.rotate.arn
  rotate_immediately  = false
  depends_on          = [aws_lambda_permission.rotate, aws_secretsmanager_secret_version.database]

  rotation_rules {
    automatically_after_days = 30
  }
}

data "aws_secretsmanager_secret_version" "database" {
  secret_id  = aws_secretsmanager_secret.database.id
  depends_on = [aws_secretsmanager_secret_version.database]
}

output "password" {
  value     = jsondecode(data.aws_secretsmanager_secret_version.database.secret_string).password
  sensitive = true
}
