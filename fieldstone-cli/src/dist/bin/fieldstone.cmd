@echo off
rem Runs Fieldstone on the Java runtime that came with it. FIELDSTONE_JAVA_OPTS holds more options for the JVM.
rem Not tested: Fieldstone is tested on Linux.
setlocal
set "home=%~dp0.."
set "cached=files"
set "profiles=-"
for /f "usebackq tokens=1,2" %%c in ("%home%\lib\jvm.commands") do if "%~1"=="%%c" if not "%%d"=="c1" set "cached=network" & set "profiles=+"
set "cache="
if exist "%home%\lib\%cached%.aot" set cache=-XX:%profiles%AOTReplayTraining "-XX:AOTCache=%home%\lib\%cached%.aot"
"%home%\runtime\bin\java.exe" "@%home%\lib\java.options" %FIELDSTONE_JAVA_OPTS% %cache% "-Dfieldstone.launcher=%~f0" -jar "%home%\lib\fieldstone-cli.jar" %*
exit /b %ERRORLEVEL%
