rootProject.name = "fieldstone-examples"
