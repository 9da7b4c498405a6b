# package: team
