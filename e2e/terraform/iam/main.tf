data "aws_caller_identity" "current" {}

data "aws_iam_policy_document" "trust" {
  statement {
    actions = ["sts:AssumeRole"]
    principals {
      type        = "Service"
      identifiers = ["ec2.amazonaws.com", "lambda.amazonaws.com"]
    }
    principals {
      type        = "AWS"
      identifiers = [aws_iam_user.jane.arn, "arn:aws:iam::${data.aws_caller_identity.current.account_id}:root"]
    }
    condition {
      test     = "StringEquals"
      variable = "aws:PrincipalTag/Team"
      values   = ["orders"]
    }
  }
}

data "aws_iam_policy_document" "orders" {
  statement {
    sid       = "Queues"
    actions   = ["sqs:SendMessage", "sqs:ReceiveMessage"]
    resources = ["arn:aws:sqs:*:*:orders*"]
  }
  statement {
    sid         = "NotUsers"
    effect      = "Deny"
    not_actions = ["iam:Get*"]
    resources   = ["arn:aws:iam::*:user/*"]
  }
}

data "aws_iam_policy" "read_only" {
  name = "ReadOnlyAccess"
}

resource "aws_iam_account_alias" "alias" {
  account_alias = "orders-and-invoices"
}

resource "aws_iam_account_password_policy" "strict" {
  minimum_password_length        = 12
  require_lowercase_characters   = true
  require_numbers                = true
  require_uppercase_characters   = true
  require_symbols                = true
  allow_users_to_change_password = true
  max_password_age               = 90
  password_reuse_prevention      = 3
}

resource "aws_iam_policy" "orders" {
  name        = "orders"
  path        = "/team/"
  description = "What the orders team does"
  policy      = data.aws_iam_policy_document.orders.json
  tags        = { Team = "orders" }
}

resource "aws_iam_user" "jane" {
  name                 = "jane"
  path                 = "/team/"
  permissions_boundary = aws_iam_policy.orders.arn
  force_destroy        = true
  tags                 = { Team = "orders" }
}

resource "aws_iam_access_key" "jane" {
  user = aws_iam_user.jane.name
}

resource "aws_iam_user_policy" "jane" {
  name   = "inline"
  user   = aws_iam_user.jane.name
  policy = data.aws_iam_policy_document.orders.json
}

resource "aws_iam_user_policy_attachment" "jane" {
  user       = aws_iam_user.jane.name
  policy_arn = data.aws_iam_policy.read_only.arn
}

resource "aws_iam_user_login_profile" "jane" {
  user                    = aws_iam_user.jane.name
  password_length         = 20
  password_reset_required = true
  depends_on              = [aws_iam_account_password_policy.strict]
}

resource "aws_iam_group" "orders" {
  name = "orders"
  path = "/team/"
}

resource "aws_iam_group_membership" "orders" {
  name  = "orders"
  group = aws_iam_group.orders.name
  users = [aws_iam_user.jane.name]
}

resource "aws_iam_group_policy" "orders" {
  group  = aws_iam_group.orders.name
  policy = data.aws_iam_policy_document.orders.json
}

resource "aws_iam_group_policy_attachment" "orders" {
  group      = aws_iam_group.orders.name
  policy_arn = aws_iam_policy.orders.arn
}

resource "aws_iam_role" "app" {
  name                 = "app"
  path                 = "/team/"
  description          = "Takes orders"
  assume_role_policy   = data.aws_iam_policy_document.trust.json
  max_session_duration = 7200
  permissions_boundary = aws_iam_policy.orders.arn
  tags                 = { Team = "orders" }
}

resource "aws_iam_role_policy" "app" {
  name   = "inline"
  role   = aws_iam_role.app.id
  policy = data.aws_iam_policy_document.orders.json
}

resource "aws_iam_role_policy_attachment" "orders" {
  role       = aws_iam_role.app.name
  policy_arn = aws_iam_policy.orders.arn
}

resource "aws_iam_role_policy_attachment" "lambda" {
  role       = aws_iam_role.app.name
  policy_arn = "arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole"
}

resource "aws_iam_instance_profile" "app" {
  name = "app"
  role = aws_iam_role.app.name
  tags = { Team = "orders" }
}

resource "aws_iam_service_linked_role" "batch" {
  aws_service_name = "batch.amazonaws.com"
  description      = "runs jobs"
  tags             = { Team = "orders" }
}

resource "aws_iam_openid_connect_provider" "ci" {
  url             = "https://token.actions.githubusercontent.com"
  client_id_list  = ["sts.amazonaws.com"]
  thumbprint_list = ["6938fd4d98bab03faadb97b34396831e3780aea1"]
  tags            = { Team = "orders" }
}

resource "aws_iam_role" "ci" {
  name = "ci"
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Action    = "sts:AssumeRoleWithWebIdentity"
      Principal = { Federated = aws_iam_openid_connect_provider.ci.arn }
      Condition = {
        StringEquals = { "token.actions.githubusercontent.com:aud" = "sts.amazonaws.com" }
      }
    }]
  })
}
