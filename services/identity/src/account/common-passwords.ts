/**
 * The words that password guessing tries first, from the well-known yearly lists of common passwords. The check that uses them strips
 * digits and symbols from both ends and reads `p@ssw0rd` as `password`, so each word is listed once.
 */
export const commonPasswords: ReadonlySet<string> = new Set(
  `
  password passwords passwort motdepasse contrasena contraseña senha parola wachtwoord haslo heslo passphrase passcode passkey
  passpass password-password passwordpassword mypassword yourpassword newpassword oldpassword thepassword nopassword temppassword
  tempassword testpassword adminpassword rootpassword userpassword changeme changeit changemenow changepassword letmein letmeinnow
  letmeinplease openup opensesame sesame secret secrets mysecret topsecret supersecret secretpassword default guest guestguest
  admin adminadmin administrator administrateur superadmin sysadmin superuser root rootroot toor user username useruser login
  loginlogin signin welcome welcomehome welcometo hello hellohello helloworld hellokitty goodbye test testing testtest testuser
  tester demo demodemo example sample temp temporary trustno trustnoone trustme nothing whatever whatsup idontknow dontknow forgot
  forgotten forget remember monkey monkeys dragon dragons dragonball dragonballz tiger tigers tigger panther lion lions eagle eagles
  falcon falcons bear bears wolf wolves wolfpack shark sharks dolphin dolphins butterfly ladybug kitten kittens kitty puppy puppies
  pussycat horses horse rabbit bunny turtle penguin elephant giraffe spider scorpion phoenix unicorn pegasus chicken turkey
  football footballs fotball fussball futbol baseball basketball softball volleyball hockey soccer tennis golf golfer cricket rugby
  swimming running skateboard snowboard surfing surfer fishing hunting hunter racing racer nascar yankees cowboys steelers packers
  raiders patriots lakers chelsea arsenal liverpool everton barcelona realmadrid juventus manchester manutd celtic rangers bayern
  galatasaray fenerbahce besiktas superman superwoman batman spiderman ironman wonderwoman captain captainamerica wolverine deadpool
  hulk avengers starwars startrek skywalker lukeskywalker darthvader yoda matrix terminator gandalf frodo hobbit lordoftherings
  harrypotter hogwarts hermione gryffindor slytherin pokemon pikachu charizard naruto sasuke onepiece minecraft fortnite roblox
  warcraft worldofwarcraft starcraft counterstrike callofduty playstation nintendo zelda mario supermario luigi sonic halo xbox
  princess prince queen queenbee king kingkong angel angels angelina sunshine sunflower sunset moonlight starlight rainbow flower
  flowers rose roses daisy lily jasmine orchid blossom summer summertime winter spring autumn january february march april august
  september october november december monday tuesday wednesday thursday friday saturday sunday birthday happybirthday christmas
  halloween easter valentine holiday vacation weekend
  iloveyou iloveu iloveme ilovegod iloveyousomuch loveyou loveme lovely love lovelove lover lovers mylove truelove firstlove forever
  foreverlove together sweetheart sweetie sweety honey honeybun baby babygirl babyboy babydoll darling beautiful pretty gorgeous
  cutie handsome kissme kisses hugs hugsandkisses friend friends bestfriend bestfriends friendship family myfamily mother father
  mommy daddy brother sister grandma grandpa children
  michael michelle jennifer jessica jessie ashley amanda daniel danielle andrew anthony joshua matthew christopher christian
  christina christine nicole nicholas jonathan benjamin samantha samuel elizabeth victoria victor alexander alexandra alexandre
  alexandr alejandro alejandra sebastian stephanie stephen steven patrick patricia william robert richard thomas charles charlie
  george jordan jordans justin brandon kimberly rebecca rachel natalie natasha katherine catherine heather hannah melissa vanessa
  veronica isabella gabriel gabriela gabrielle fernando francisco francesco giovanni leonardo lorenzo antonio roberto ricardo
  eduardo miguel carlos manuel mariana carolina caroline valentina vladimir dmitry sergey tatiana svetlana anastasia ekaterina
  mohamed mohammed muhammad ibrahim abdullah bismillah krishna ganesh jesus jesuschrist jesusislord christ godisgood godislove
  goodluck blessed blessing faith heaven
  computer computers internet network server windows microsoft google facebook instagram twitter linkedin youtube whatsapp gmail
  hotmail yahoo outlook amazon netflix apple iphone samsung galaxy android motorola blackberry nokia sony toshiba lenovo dell cisco
  oracle mysql postgres postgresql mongodb redis nginx apache tomcat jenkins docker kubernetes linux ubuntu debian fedora raspberry
  raspberrypi alpine vagrant ansible router wireless wifiwifi modem access accessdenied security secure private personal business
  company office account service support helpdesk customer manager employee developer engineer student teacher school college
  university marketing finance sales accounting
  qwerty qwertyu qwertyui qwertyuiop qwertz qwertzui qwertzuiop azerty azertyui azertyuiop asdf asdfasdf asdfgh asdfghj asdfghjk
  asdfghjkl zxcv zxcvzxcv zxcvbn zxcvbnm qwer qwerqwer qwerasdf qwerasdfzxcv qazwsx qazwsxedc qazwsxedcrfv wsxedc qaz2wsx 1qaz2wsx
  1q2w3e 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y q1w2e3 q1w2e3r4 q1w2e3r4t5 zaq12wsx zaq1zaq1 zaq1xsw2 xsw2zaq1 1qazxsw2 1qaz1qaz 1qaz2wsx3edc
  2wsx3edc asdf1234 qwer1234 abcd1234 a1b2c3d4 a1s2d3f4 1a2b3c4d aa123456 abc12345 pass1234 p0o9i8u7 0p9o8i7u poiuytrewq lkjhgfdsa
  mnbvcxz mnbvcxza poiuyt abcdef abcdefg abcdefgh abcdefghi abcdefghij abcdefghijklmnopqrstuvwxyz abcabc abcdabcd aabbccdd xyzxyz
  12345678 123456789 1234567890 0123456789 01234567 012345678 123456780 87654321 987654321 9876543210 0987654321 098765432 12341234
  123412341234 123123123 12312312 321321321 123321123 12344321 1234554321 123454321 123456654321 12345654321 1234567899 12345678910
  1234512345 123456123456 11223344 1122334455 112233445566 11112222 11111111 22222222 33333333 44444444 55555555 66666666 77777777
  88888888 99999999 00000000 10203040 102030405060 13579246 135792468 24681357 246813579 14725836 147258369 147852369 159357456
  159753456 258456 369258147 741852963 789456123 789456 963852741 987456321 951753852 31415926 314159265 27182818 20202020 20002000
  19901990 19801980 19191919 18181818 69696969 42424242 12121212 21212121 13131313 10101010 01010101 98989898 78787878 45454545
  mustang mustangs corvette ferrari lamborghini porsche mercedes maserati bmwbmw toyota honda yamaha suzuki kawasaki harley
  harleydavidson chevrolet camaro silverado jaguar
  metallica nirvana slipknot eminem beatles ledzeppelin pinkfloyd acdcacdc greenday linkinpark blink system systemofadown
  coffee chocolate cookie cookies banana bananas orange strawberry blueberry cherry peaches pumpkin pepper ginger cinnamon vanilla
  cupcake candy sugar icecream cheese cheeseburger pizza hamburger cocacola pepsi whiskey guinness budweiser heineken
  america american australia brazil canada england france germany deutschland holland india indonesia ireland italia italy japan
  mexico pakistan philippines poland polska portugal russia scotland singapore spain turkiye ukraine london newyork newyorkcity
  chicago boston dallas houston denver seattle california florida texas sanfrancisco losangeles lasvegas hollywood paris berlin
  hamburg munich amsterdam istanbul moscow madrid tokyo sydney melbourne toronto
  black white silver golden purple yellow green diamond diamonds crystal emerald sapphire platinum midnight thunder lightning
  tornado hurricane blizzard volcano mountain ocean river island desert jungle forest garden
  maverick warrior warriors soldier samurai ninja pirate pirates viking vikings knight knights hacker hackers killer assassin
  gangster cowboy rockstar superstar champion champions winner winners legend legends freedom liberty justice victory success
  money moneymoney dollar dollars million millionaire lottery casino poker jackpot lucky luckyone
  awesome amazing fantastic perfect incredible crazy crazyboy loser stupid fuckyou fuckoff fuckme asshole bullshit biteme blowme
  bitch badboy badgirl goodboy goodgirl playboy hotstuff sexy sexygirl sexyboy naughty
  blahblah asdasd asdasdasd qweqwe qweqweqwe qweasd qweasdzxc zxczxc zxczxczxc poopoo haha hahaha hahahaha lalala lalalala dadada
  nananana mamamama papapapa
  correcthorsebatterystaple
  `
    .trim()
    .split(/\s+/),
);
