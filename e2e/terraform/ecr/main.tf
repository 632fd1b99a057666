variable "changed" {
  description = "whether the second state of the changed resources applies"
  type        = bool
}

resource "aws_ecr_repository" "orders" {
  name                 = "shop/orders"
  image_tag_mutability = var.changed ? "IMMUTABLE" : "MUTABLE"
  force_delete         = true

  image_scanning_configuration {
    scan_on_push = !var.changed
  }

  tags = {
    Team = var.changed ? "shop" : "orders"
  }
}

resource "aws_ecr_repository" "encrypted" {
  name = "shop/encrypted"

  encryption_configuration {
    encryption_type = "KMS"
  }
}

resource "aws_ecr_lifecycle_policy" "orders" {
  repository = aws_ecr_repository.orders.name

  policy = jsonencode({
    rules = [{
      rulePriority = 1
      description  = "Untagged images"
      selection = {
        tagStatus   = "untagged"
        countType   = "sinceImagePushed"
        countUnit   = "days"
        countNumber = var.changed ? 7 : 14
      }
      action = { type = "expire" }
    }]
  })
}

resource "aws_ecr_repository_policy" "orders" {
  repository = aws_ecr_repository.orders.name

  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Sid       = "pull"
      Effect    = "Allow"
      Principal = "*"
      Action    = var.changed ? ["ecr:BatchGetImage"] : ["ecr:BatchGetImage", "ecr:GetDownloadUrlForLayer"]
    }]
  })
}
